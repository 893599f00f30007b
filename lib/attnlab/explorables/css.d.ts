// A style sheet that a module imports is a string: esbuild's "text" loader.
declare module "*.css" {
  const text: string;
  export default text;
}
