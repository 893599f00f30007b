/** Calls back once an element is about to be seen. The returned function calls it off. */
export function whenNear(element: Element, start: () => void): () => void {
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      start();
    },
    { rootMargin: "50%" },
  );
  seen.observe(element);
  return () => seen.disconnect();
}
