// With esbuild's "text" loader, an imported style sheet is a string.
declare module "*.css" {
  const text: string;
  export default text;
}

// The script of a worker, bundled, as a string.
declare module "*?worker" {
  const text: string;
  export default text;
}
