// With esbuild's "text" loader, an imported style sheet is a string.
declare module "*.css" {
  const text: string;
  export default text;
}

// The file of a worker's script, which stands beside a page's explorables.
declare module "*?worker" {
  const file: string;
  export default file;
}
