const form = document.getElementById("controls");
const lists = [...document.querySelectorAll("ol.files")].map(list => ({ list, items: [...list.children] }));
const name = item => item.querySelector("h3").textContent;
const orders = {
  found: () => 0,
  score: (a, b) => b.dataset.score - a.dataset.score,
  name: (a, b) => name(a).localeCompare(name(b)),
};
function apply() {
  const text = form.elements.text.value.toLowerCase();
  let shown = 0, all = 0;
  for (const { list, items } of lists) {
    const section = list.parentElement;
    section.hidden = !form.elements[section.id].checked;
    list.append(...[...items].sort(orders[form.elements.order.value]));
    for (const item of items) {
      item.hidden = !name(item).toLowerCase().includes(text);
      all += 1;
      if (!item.hidden && !section.hidden) shown += 1;
    }
  }
  document.getElementById("shown").textContent = shown === all ? "" : `${shown} of ${all} files are shown.`;
}
form.addEventListener("input", apply);
form.addEventListener("submit", event => event.preventDefault());
form.hidden = false;
