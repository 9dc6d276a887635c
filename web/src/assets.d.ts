declare module "*.woff2" {
  const base64: string;
  export default base64;
}
declare module "*.css" {
  const text: string;
  export default text;
}
