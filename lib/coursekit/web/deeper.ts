// A section that goes deeper is folded: a link that leads to it, or to a place in it, opens it.

/** Opens what the page's address leads to, now and whenever a link changes it. */
export function openDeeper(): void {
  const follow = () => {
    const [id] = window.location.hash.slice(1).split("&"); // a figure’s state may follow
    const target = document.getElementById(decodeURIComponent(id!));
    if (!target) return;
    const own = target.querySelector<HTMLDetailsElement>(":scope > details.ck-deeper");
    const folds = [own, ...around(target)].filter((fold) => fold !== null && !fold.open);
    for (const fold of folds) fold!.open = true;
    if (folds.length) target.scrollIntoView();
  };
  follow();
  window.addEventListener("hashchange", follow);
  // The same link again changes no address: the reader may have shut the section since.
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href*='#']") : null;
    if (link && link.href === window.location.href) follow();
  });
}

/** The folded sections that a place is in, from the inside out. */
function around(place: Element): HTMLDetailsElement[] {
  const fold = place.parentElement?.closest<HTMLDetailsElement>("details.ck-deeper");
  return fold ? [fold, ...around(fold)] : [];
}
