// With esbuild's "text" loader, an imported style sheet is a string.
declare module "*.css" {
  const text: string;
  export default text;
}
