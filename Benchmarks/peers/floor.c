// This source file is part of the SensitiveContentAnalysis open source project
// SPDX-License-Identifier: Apache-2.0

// The least work that judging a folder of JPEGs takes: libjpeg-turbo's scaled decoding and OpenVINO's inference,
// nothing else. No sandbox, no checks, no colour management, no orientation. Prints its processor time, by part, as
// one JSON object.
//
//   cc -O2 -o floor floor.c -ljpeg -lpthread -ldl
//   floor LIBOPENVINO_C MODEL CACHE_FOLDER MIN_SIDE WORKERS FILE...

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <jpeglib.h>

// MARK: - OpenVINO's C API, as far as it is used (https://docs.openvino.ai/2026/api/c_cpp_api/group__ov__c__api.html)

typedef struct ov_core ov_core_t;
typedef struct ov_compiled_model ov_compiled_model_t;
typedef struct ov_infer_request ov_infer_request_t;
typedef struct ov_tensor ov_tensor_t;
typedef struct { int64_t rank; int64_t *dims; } ov_shape_t;
typedef struct { const char *buildNumber; const char *description; } ov_version_t;

#define OPENVINO_FUNCTIONS(X)                                                                                \
    X(int, ov_get_openvino_version, (ov_version_t *))                                                        \
    X(int, ov_core_create, (ov_core_t **))                                                                   \
    X(int, ov_core_compile_model_from_file,                                                                  \
      (const ov_core_t *, const char *, const char *, size_t, ov_compiled_model_t **, ...))                  \
    X(int, ov_compiled_model_create_infer_request, (const ov_compiled_model_t *, ov_infer_request_t **))     \
    X(int, ov_infer_request_get_input_tensor_by_index, (const ov_infer_request_t *, size_t, ov_tensor_t **)) \
    X(int, ov_infer_request_get_output_tensor_by_index, (const ov_infer_request_t *, size_t, ov_tensor_t **)) \
    X(int, ov_infer_request_infer, (ov_infer_request_t *))                                                   \
    X(int, ov_shape_create, (int64_t, const int64_t *, ov_shape_t *))                                        \
    X(int, ov_shape_free, (ov_shape_t *))                                                                    \
    X(int, ov_tensor_set_shape, (ov_tensor_t *, ov_shape_t))                                                 \
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

/// Decodes with the largest of the codec's scales 1/8, 1/4, 1/2, 1 that leaves both sides at least `minSide`.
static Picture decode(const char *path, int minSide) {
    FILE *file = fopen(path, "rb");
    if (!file) { perror(path); exit(1); }
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&jpeg);
    jpeg_stdio_src(&jpeg, file);
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
    fclose(file);
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
    int index;
    ov_infer_request_t *request;
    float *input;
    double decoding, resizing;
} Worker;

static struct {
    char **files;
    int count, workers, minSide;
    float *scores;
    atomic_int next;
    pthread_barrier_t barrier;
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

/// Every worker's first inference is apart from the others (between barriers): it also generates the kernels.
static void *work(void *argument) {
    Worker *worker = argument;
    prepare(worker, worker->index);
    pthread_barrier_wait(&job.barrier);
    pthread_barrier_wait(&job.barrier);  // The main thread reads the clock between the two.
    infer(worker, worker->index);
    pthread_barrier_wait(&job.barrier);
    pthread_barrier_wait(&job.barrier);
    for (int file; (file = atomic_fetch_add(&job.next, 1)) < job.count;) {
        prepare(worker, file);
        infer(worker, file);
    }
    return NULL;
}

static ov_infer_request_t *makeRequest(ov_compiled_model_t *model, float **input) {
    ov_infer_request_t *request;
    ov_tensor_t *tensor;
    ov_shape_t shape;
    void *data;
    check(ov_compiled_model_create_infer_request(model, &request), "request");
    check(ov_infer_request_get_input_tensor_by_index(request, 0, &tensor), "input");
    check(ov_shape_create(4, (int64_t[]){1, INPUT, INPUT, 3}, &shape), "shape");
    check(ov_tensor_set_shape(tensor, shape), "input shape");
    check(ov_tensor_data(tensor, &data), "input data");
    *input = data;
    ov_shape_free(&shape);
    ov_tensor_free(tensor);
    return request;
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
    if (job.workers > job.count / 2) job.workers = job.count / 2;  // Something must follow each first inference.
    if (job.workers < 1) { fprintf(stderr, "The floor needs one worker and two pictures at least.\n"); return 64; }
    job.scores = calloc((size_t)job.count, sizeof(float));
    atomic_store(&job.next, job.workers);
    pthread_barrier_init(&job.barrier, NULL, (unsigned)job.workers + 1);

    loadOpenVINO(argv[1]);
    ov_version_t version;
    ov_core_t *core;
    ov_compiled_model_t *model;
    char streams[16];
    snprintf(streams, sizeof streams, "%d", job.workers);
    check(ov_get_openvino_version(&version), "version");
    check(ov_core_create(&core), "core");
    check(ov_core_compile_model_from_file(core, modelPath, "CPU", 10, &model, "CACHE_DIR", cache,
                                          "CACHE_MODE", "OPTIMIZE_SPEED", "NUM_STREAMS", streams,
                                          "INFERENCE_NUM_THREADS", streams, "INFERENCE_PRECISION_HINT", "f32"),
          "model");
    Worker *workers = calloc((size_t)job.workers, sizeof(Worker));
    for (int i = 0; i < job.workers; i++) {
        workers[i].index = i;
        workers[i].request = makeRequest(model, &workers[i].input);
    }
    double startUp = PROCESS_TIME();

    for (int i = 0; i < job.workers; i++) pthread_create(&workers[i].thread, NULL, work, &workers[i]);
    pthread_barrier_wait(&job.barrier);
    double beforeFirst = PROCESS_TIME();
    pthread_barrier_wait(&job.barrier);
    pthread_barrier_wait(&job.barrier);
    double afterFirst = PROCESS_TIME(), earlier = 0, decoding = 0, resizing = 0;
    for (int i = 0; i < job.workers; i++) earlier += workers[i].decoding + workers[i].resizing;
    pthread_barrier_wait(&job.barrier);
    for (int i = 0; i < job.workers; i++) {
        pthread_join(workers[i].thread, NULL);
        decoding += workers[i].decoding;
        resizing += workers[i].resizing;
    }
    double later = PROCESS_TIME() - afterFirst;
    double steady = (later - (decoding + resizing - earlier)) / (job.count - job.workers);

    printf("{\"openvino\": \"%s\", \"libjpeg_turbo\": \"%s\", \"pictures\": %d, \"workers\": %d,\n",
           version.buildNumber, TEXT(LIBJPEG_TURBO_VERSION), job.count, job.workers);
    printf(" \"start_up\": %.6f, \"first_inferences\": %.6f, \"decoding\": %.6f, \"resizing\": %.6f, "
           "\"inference\": %.6f,\n",
           startUp, afterFirst - beforeFirst, decoding, resizing, steady * job.count);
    printf(" \"scores\": [");
    for (int i = 0; i < job.count; i++) printf("%s%.6f", i ? ", " : "", job.scores[i]);
    printf("]}\n");

    for (int i = 0; i < job.workers; i++) ov_infer_request_free(workers[i].request);
    ov_compiled_model_free(model);
    ov_core_free(core);
    ov_version_free(&version);
    return 0;
}
