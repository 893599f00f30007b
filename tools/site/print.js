// What happens to a finished page before it is printed. It runs in the page, whose own scripts do
// not: figures stand there in their first state, and exercises as questions.

/** What only a screen can use, and what nobody is to see by accident: hints, solutions, rubrics. */
const NOT_PRINTED = `script, noscript, .headerlink, .ck-hidden, .ck-progress, .ck-start, .ck-cards,
  .ck-report, .toctree-wrapper, .sd-summary-state-marker, .notebook-menu, .ck-hint, .ck-solution,
  .ck-rubric`;
/** Attributes that name ids of the same page. */
const NAMING = ["id", "for", "headers", "aria-labelledby", "aria-describedby", "aria-controls"];

/**
 * Prepare the page of a chapter, and return its article with what is to be known of it; `elements`
 * is how the names of the course's figures begin.
 */
function prepare([name, elements]) {
  const article = document.querySelector("article");
  for (const element of article.querySelectorAll(NOT_PRINTED)) element.remove();
  for (const fold of article.querySelectorAll("details")) fold.open = true;
  const figures = [...article.querySelectorAll("*")].filter((e) => elements && e.localName.startsWith(elements));
  for (const figure of figures) figure.classList.add("paper-figure");
  const shadowRoots = figures.flatMap((figure) => figure.shadowRoot ?? []);
  makeUnique(article, name);
  fit(article, shadowRoots);
  const heading = article.querySelector("h1")?.textContent.trim() ?? name;
  const styles = document.styleSheets.length;
  const whole = article.cloneNode().outerHTML.replace("><", () => `>${article.getHTML({ shadowRoots })}<`);
  return { title: document.title, heading, styles, article: whole };
}

/** Put the chapter's name before its ids, so that all chapters can stand in one document. */
function makeUnique(article, name) {
  const own = (id) => `${name}--${id}`;
  article.id = own("");
  for (const element of article.querySelectorAll("*"))
    for (const { name: attribute, value } of [...element.attributes])
      if (NAMING.includes(attribute))
        element.setAttribute(attribute, value.trim().split(/\s+/).map(own).join(" "));
      else if (value.includes("url(#"))
        element.setAttribute(attribute, value.replaceAll("url(#", `url(#${own("")}`));
      else if (/^(xlink:)?href$/.test(attribute) && value.startsWith("#"))
        element.setAttribute(attribute, `#${own(value.slice(1))}`);
}

/** Make smaller what is too wide or too tall for a page, so that nothing is cut. */
function fit(article, shadowRoots) {
  const { left, width } = article.getBoundingClientRect();
  const all = [article, ...shadowRoots].flatMap((root) => [...root.querySelectorAll("table, div.math, svg, img")]);
  for (const element of all)
    if (!element.parentElement?.closest("svg, table, .math"))
      for (let round = 0; round < 3; round++) { // a smaller table breaks its lines anew
        const box = element.getBoundingClientRect();
        const zoom = Number(element.style.zoom || 1);
        const wide = Math.max(box.width, (element.scrollWidth || 0) * zoom);
        const tall = element.matches("svg, img") ? box.height : 1;
        const scale = Math.min(1, (left + width - box.left) / wide, (0.9 * innerHeight) / tall);
        if (scale < 0.999) element.style.zoom = (zoom * scale - 0.001).toFixed(3);
      }
}

/** Put below the chapter what it cites of a page of references. */
function cite(references) {
  const page = new DOMParser().parseFromString(references, "text/html");
  const links = [...document.querySelectorAll('article a[href*=".html#"]')];
  const ids = new Set(links.map((link) => link.getAttribute("href").replace(".html#", "--")));
  const entries = [...page.querySelectorAll(".citation")].filter((entry) => ids.has(entry.id));
  if (!entries.length) return;
  const section = document.createElement("section");
  section.innerHTML = "<h2>References of this chapter</h2>";
  section.append(...entries);
  for (const back of section.querySelectorAll(".backrefs, .fn-backref")) back.remove();
  document.querySelector("article > section").append(section);
}

/** Point links at what is in the document, else at the published site, else nowhere. */
function aim(site) {
  for (const link of document.querySelectorAll("article a[href]")) {
    const address = link.getAttribute("href");
    const [page, id] = address.split("#");
    const target = `${page.replace(/\.html$/, "")}--${id ?? ""}`;
    if (/^[a-z]+:/.test(address)) {
      if (!link.textContent.includes(address.replace(/\/$/, ""))) link.dataset.address = address;
    } else if (document.getElementById(target)) link.setAttribute("href", `#${target}`);
    else if (page && site) link.setAttribute("href", new URL(address, site));
    else if (page) link.removeAttribute("href");
  }
}

let colophon;

/** Leave one article, or several, in the page, and say below whose they are and their licences. */
function put([title, articles]) {
  document.title = title;
  colophon ??= document.querySelector(".bd-footer-content .copyright");
  const article = document.querySelector("article");
  // What is around it, though hidden, would have pages of its own.
  for (let inner = article; inner !== document.body; inner = inner.parentElement)
    for (const other of [...inner.parentElement.children]) if (other !== inner) other.remove();
  const made = document.createElement("div");
  made.setHTMLUnsafe(articles); // with shadow roots
  article.replaceWith(...made.childNodes);
  if (colophon) [...document.querySelectorAll("article")].at(-1).append(colophon);
}

/** Add a style sheet, in the theme for paper. */
function style(sheet) {
  document.documentElement.dataset.theme = "light";
  document.head.append(Object.assign(document.createElement("style"), { textContent: sheet }));
}
