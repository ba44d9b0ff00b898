// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The least work that judging a folder of JPEGs takes: libjpeg-turbo's scaled decoding and OpenVINO's inference,
// nothing else. No sandbox, no checks, no colour management, no orientation. Prints its processor time, by part, as
// one JSON object.
//
//   cc -O2 -o floor floor.c -ljpeg -lpthread -ldl
//   floor LIBOPENVINO_C MODEL CACHE_FOLDER MIN_SIDE WORKERS FILE...

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <jpeglib.h>

// MARK: - OpenVINO's C API, as far as it is used (https://docs.openvino.ai/2026/api/c_cpp_api/group__ov__c__api.html)

typedef struct ov_core ov_core_t;
typedef struct ov_compiled_model ov_compiled_model_t;
typedef struct ov_infer_request ov_infer_request_t;
typedef struct ov_tensor ov_tensor_t;
typedef struct ov_model ov_model_t;
typedef struct { int64_t min, max; } ov_dimension_t;
typedef struct { ov_dimension_t rank; ov_dimension_t *dims; } ov_partial_shape_t;
typedef struct { const char *key; const void *value; } ov_property_t;
typedef struct { const char *buildNumber; const char *description; } ov_version_t;

#define OPENVINO_FUNCTIONS(X)                                                                                \
    X(int, ov_get_openvino_version, (ov_version_t *))                                                        \
    X(int, ov_core_create, (ov_core_t **))                                                                   \
    X(int, ov_core_set_properties, (const ov_core_t *, const char *, size_t, const ov_property_t *))          \
    X(int, ov_core_read_model, (const ov_core_t *, const char *, const char *, ov_model_t **))               \
    X(void, ov_model_free, (ov_model_t *))                                                                   \
    X(int, ov_model_reshape_single_input, (const ov_model_t *, ov_partial_shape_t))                          \
    X(int, ov_core_compile_model_props,                                                                      \
      (const ov_core_t *, const ov_model_t *, const char *, size_t, const ov_property_t *, ov_compiled_model_t **)) \
    X(int, ov_compiled_model_export_model, (const ov_compiled_model_t *, const char *))                      \
    X(int, ov_core_import_model, (const ov_core_t *, const char *, size_t, const char *, ov_compiled_model_t **)) \
    X(int, ov_compiled_model_create_infer_request, (const ov_compiled_model_t *, ov_infer_request_t **))     \
    X(int, ov_infer_request_get_input_tensor_by_index, (const ov_infer_request_t *, size_t, ov_tensor_t **)) \
    X(int, ov_infer_request_get_output_tensor_by_index, (const ov_infer_request_t *, size_t, ov_tensor_t **)) \
    X(int, ov_infer_request_infer, (ov_infer_request_t *))                                                   \
    X(int, ov_tensor_data, (const ov_tensor_t *, void **))                                                   \
    X(void, ov_tensor_free, (ov_tensor_t *))                                                                 \
    X(void, ov_infer_request_free, (ov_infer_request_t *))                                                   \
    X(void, ov_compiled_model_free, (ov_compiled_model_t *))                                                 \
    X(void, ov_core_free, (ov_core_t *))                                                                     \
    X(void, ov_version_free, (ov_version_t *))

#define DECLARE(result, name, arguments) static result (*name) arguments;
OPENVINO_FUNCTIONS(DECLARE)

static void loadOpenVINO(const char *path) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) { fprintf(stderr, "%s\n", dlerror()); exit(1); }
#define LOAD(result, name, arguments)                                            \
    *(void **)&name = dlsym(library, #name);                                     \
    if (!name) { fprintf(stderr, "%s has no %s\n", path, #name); exit(1); }
    OPENVINO_FUNCTIONS(LOAD)
}

static void check(int status, const char *what) {
    if (status != 0) { fprintf(stderr, "%s: OpenVINO status %d\n", what, status); exit(1); }
}

// MARK: - Processor time

static double processorTime(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
#define PROCESS_TIME() processorTime(CLOCK_PROCESS_CPUTIME_ID)
#define THREAD_TIME() processorTime(CLOCK_THREAD_CPUTIME_ID)

// MARK: - One picture

typedef struct { int width, height; unsigned char *rgb; } Picture;

typedef struct { unsigned char *bytes; size_t size; } Memory;

/// The contents of a file, or nothing where it cannot be read.
static Memory mapFile(const char *path) {
    Memory memory = {NULL, 0};
    struct stat status;
    int file = open(path, O_RDONLY);
    if (file < 0) return memory;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
        if (bytes != MAP_FAILED) memory = (Memory){bytes, (size_t)status.st_size};
    }
    close(file);
    return memory;
}

/// Decodes with the largest of the codec's scales 1/8, 1/4, 1/2, 1 that leaves both sides at least `minSide`.
static Picture decode(const char *path, int minSide) {
    Memory file = mapFile(path);
    if (!file.bytes) { perror(path); exit(1); }
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, file.bytes, file.size);
    jpeg_read_header(&jpeg, TRUE);
    jpeg.out_color_space = JCS_RGB;
    jpeg.scale_num = 1;
    for (jpeg.scale_denom = 8; jpeg.scale_denom > 1; jpeg.scale_denom /= 2) {
        jpeg_calc_output_dimensions(&jpeg);
        if (jpeg.output_width >= (unsigned)minSide && jpeg.output_height >= (unsigned)minSide) break;
    }
    jpeg_start_decompress(&jpeg);
    Picture picture = {(int)jpeg.output_width, (int)jpeg.output_height, NULL};
    size_t stride = (size_t)picture.width * 3;
    picture.rgb = malloc(stride * (size_t)picture.height);
    if (!picture.rgb) { perror("malloc"); exit(1); }
    while (jpeg.output_scanline < jpeg.output_height) {
        JSAMPROW row = picture.rgb + stride * jpeg.output_scanline;
        jpeg_read_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_decompress(&jpeg);
    jpeg_destroy_decompress(&jpeg);
    munmap(file.bytes, file.size);
    return picture;
}

enum { STRETCHED = 256, INPUT = 224, BORDER = (STRETCHED - INPUT) / 2 };

/// Stretches to 256 x 256, bilinear without antialiasing, and fills the model's input with the central 224 x 224:
/// BGR, less the training set's mean.
static void fillInput(Picture picture, float *input) {
    static const float mean[3] = {104, 117, 123};
    for (int y = 0; y < INPUT; y++) {
        float sourceY = (y + BORDER + 0.5f) * (float)picture.height / STRETCHED - 0.5f;
        int top = (int)sourceY, bottom = top + 1 < picture.height ? top + 1 : top;
        float v = sourceY - (float)top;
        for (int x = 0; x < INPUT; x++) {
            float sourceX = (x + BORDER + 0.5f) * (float)picture.width / STRETCHED - 0.5f;
            int left = (int)sourceX, right = left + 1 < picture.width ? left + 1 : left;
            float u = sourceX - (float)left;
            for (int c = 0; c < 3; c++) {
#define AT(row, column) (float)picture.rgb[((size_t)(row) * (size_t)picture.width + (size_t)(column)) * 3 + 2 - c]
                float above = AT(top, left) + (AT(top, right) - AT(top, left)) * u;
                float below = AT(bottom, left) + (AT(bottom, right) - AT(bottom, left)) * u;
                *input++ = above + (below - above) * v - mean[c];
            }
        }
    }
}

// MARK: - Workers

typedef struct {
    pthread_t thread;
    ov_infer_request_t *request;
    float *input;
    double decoding, resizing;
} Worker;

static struct {
    char **files;
    int count, workers, minSide;
    float *scores;
    atomic_int next;
} job;

static void prepare(Worker *worker, int file) {
    double start = THREAD_TIME();
    Picture picture = decode(job.files[file], job.minSide);
    double decoded = THREAD_TIME();
    fillInput(picture, worker->input);
    free(picture.rgb);
    worker->decoding += decoded - start;
    worker->resizing += THREAD_TIME() - decoded;
}

static void infer(Worker *worker, int file) {
    check(ov_infer_request_infer(worker->request), "inference");
    ov_tensor_t *output;
    void *data;
    check(ov_infer_request_get_output_tensor_by_index(worker->request, 0, &output), "output");
    check(ov_tensor_data(output, &data), "output data");
    job.scores[file] = ((float *)data)[1];
    ov_tensor_free(output);
}

static void *work(void *argument) {
    Worker *worker = argument;
    for (int file; (file = atomic_fetch_add(&job.next, 1)) < job.count;) {
        prepare(worker, file);
        infer(worker, file);
    }
    return NULL;
}

static ov_infer_request_t *makeRequest(ov_compiled_model_t *model, float **input) {
    ov_infer_request_t *request;
    ov_tensor_t *tensor;
    void *data;
    check(ov_compiled_model_create_infer_request(model, &request), "request");
    check(ov_infer_request_get_input_tensor_by_index(request, 0, &tensor), "input");
    check(ov_tensor_data(tensor, &data), "input data");
    *input = data;
    ov_tensor_free(tensor);
    return request;
}

/// Loads the model in compiled form, which the first run of all makes: for one picture a request, in full precision,
/// with a stream for each worker and threads that may move between cores.
static ov_compiled_model_t *loadModel(ov_core_t *core, const char *path, const char *cache) {
    char streams[16], compiled[4096];
    snprintf(streams, sizeof streams, "%d", job.workers);
    snprintf(compiled, sizeof compiled, "%s/floor.blob", cache);
    const ov_property_t properties[] = {{"NUM_STREAMS", streams},
                                        {"INFERENCE_NUM_THREADS", streams},
                                        {"INFERENCE_PRECISION_HINT", "f32"},
                                        {"ENABLE_CPU_PINNING", "NO"}};
    for (int i = 0; i < 4; i++) check(ov_core_set_properties(core, "CPU", 1, &properties[i]), "properties");
    ov_compiled_model_t *model;
    // OpenVINO uses the weights where they are, so the mapping stays.
    Memory content = mapFile(compiled);
    if (content.bytes) {
        check(ov_core_import_model(core, (char *)content.bytes, content.size, "CPU", &model), "compiled model");
        return model;
    }
    ov_model_t *source;
    check(ov_core_read_model(core, path, NULL, &source), "model");
    ov_dimension_t dims[] = {{1, 1}, {INPUT, INPUT}, {INPUT, INPUT}, {3, 3}};
    check(ov_model_reshape_single_input(source, (ov_partial_shape_t){{4, 4}, dims}), "input shape");
    check(ov_core_compile_model_props(core, source, "CPU", 0, NULL, &model), "compilation");
    check(ov_compiled_model_export_model(model, compiled), "export");
    ov_model_free(source);
    return model;
}

// MARK: -

#define TEXT_OF(token) #token
#define TEXT(token) TEXT_OF(token)
#ifndef LIBJPEG_TURBO_VERSION
#define LIBJPEG_TURBO_VERSION not libjpeg-turbo
#endif

int main(int argc, char **argv) {
    if (argc < 7) {
        fprintf(stderr, "usage: %s LIBOPENVINO_C MODEL CACHE_FOLDER MIN_SIDE WORKERS FILE...\n", argv[0]);
        return 64;
    }
    const char *modelPath = argv[2], *cache = argv[3];
    job.minSide = atoi(argv[4]);
    job.files = argv + 6;
    job.count = argc - 6;
    job.workers = atoi(argv[5]);
    if (job.workers < 1) { fprintf(stderr, "The floor needs one worker at least.\n"); return 64; }
    job.scores = calloc((size_t)job.count, sizeof(float));

    loadOpenVINO(argv[1]);
    ov_version_t version;
    ov_core_t *core;
    check(ov_get_openvino_version(&version), "version");
    check(ov_core_create(&core), "core");
    ov_compiled_model_t *model = loadModel(core, modelPath, cache);
    Worker *workers = calloc((size_t)job.workers, sizeof(Worker));
    for (int i = 0; i < job.workers; i++) {
        workers[i].request = makeRequest(model, &workers[i].input);
    }
    double startUp = PROCESS_TIME();

    double decoding = 0, resizing = 0;
    for (int i = 0; i < job.workers; i++) pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    for (int i = 0; i < job.workers; i++) {
        pthread_join(workers[i].thread, NULL);
        decoding += workers[i].decoding;
        resizing += workers[i].resizing;
    }
    // OpenVINO's streams have threads of their own: what is left of the process's time is theirs.
    double inference = PROCESS_TIME() - startUp - decoding - resizing;

    printf("{\"openvino\": \"%s\", \"libjpeg_turbo\": \"%s\", \"pictures\": %d, \"workers\": %d,\n",
           version.buildNumber, TEXT(LIBJPEG_TURBO_VERSION), job.count, job.workers);
    printf(" \"start_up\": %.6f, \"decoding\": %.6f, \"resizing\": %.6f, \"inference\": %.6f,\n", startUp, decoding,
           resizing, inference);
    printf(" \"scores\": [");
    for (int i = 0; i < job.count; i++) printf("%s%.6f", i ? ", " : "", job.scores[i]);
    printf("]}\n");

    for (int i = 0; i < job.workers; i++) ov_infer_request_free(workers[i].request);
    ov_compiled_model_free(model);
    ov_core_free(core);
    ov_version_free(&version);
    return 0;
}
