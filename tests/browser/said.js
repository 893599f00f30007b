// All that a page says to eyes and ears before anything is answered, in reading order.
() => {
  document.querySelectorAll("details:not(.ck-shut *, .ck-shut)").forEach((fold) => { fold.open = true; });
  const SPOKEN = ["aria-label", "aria-description", "alt", "title", "placeholder", "aria-valuetext"];
  const said = [];
  let heading = "";
  const where = (element, what) => ({
    what, heading,
    exercise: element.closest("[data-exercise]")?.dataset.exercise ?? "",
  });
  const blockOf = (element) => {
    const drawn = element.closest("svg text, mtext");
    if (drawn) return drawn;
    let at = element;
    while (at.parentElement && getComputedStyle(at).display.startsWith("inline")) at = at.parentElement;
    return at;
  };
  const kindOf = (element) => {
    if (element.closest("svg")) return "figure";
    if (element.closest("nav, .sidebar, header, footer")) return "navigation";
    const tag = element.closest("h1, h2, h3, h4, h5, h6, td, th, pre, caption, figcaption, summary, li, p, label, button");
    const names = { TD: "table", TH: "table", PRE: element.closest(".cell_output") ? "output" : "code", LI: "list", P: "text" };
    if (!tag) return "text";
    return names[tag.tagName] ?? (/^H\d/.test(tag.tagName) ? "heading" : tag.tagName.toLowerCase());
  };
  let block = null;
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!node.data.trim()) { if (block && said.length) said[said.length - 1].text += " "; return; }
      const mine = blockOf(node.parentElement);
      if (mine !== block) {
        said.push({ ...where(node.parentElement, kindOf(node.parentElement)), text: "" });
        block = mine;
      }
      said[said.length - 1].text += node.data;
      return;
    }
    if (!(node instanceof Element)) return;
    if (node.matches("script, style, template, noscript, .katex-mathml, .ck-gate")) return;
    const isSpokenOnly = node.matches("svg title, svg desc");
    if (!isSpokenOnly && !node.checkVisibility({ visibilityProperty: true })
        && getComputedStyle(node).display !== "contents") return;
    if (/^H[1-6]$/.test(node.tagName) && node.closest("article")) heading = node.textContent.replace(/#$/, "").trim();
    for (const name of SPOKEN) {
      const text = node.getAttribute(name);
      if (text?.trim()) { said.push({ ...where(node, name), text }); block = null; }
    }
    if (isSpokenOnly) { said.push({ ...where(node, "svg " + node.tagName), text: node.textContent }); block = null; return; }
    const inner = node.shadowRoot ?? node;
    inner.childNodes.forEach(walk);
    if (node.matches("td, th")) { block = null; }
  };
  walk(document.body);
  const meta = document.querySelector("meta[name=description]")?.content;
  if (meta) said.unshift({ what: "description", heading: "", exercise: "", text: meta });
  return said.map((each) => ({ ...each, text: each.text.replace(/\s+/g, " ").trim() })).filter(({ text }) => text);
}
