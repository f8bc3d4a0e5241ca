/** A font file as a data address: Vite writes it into a bundle, bin/read-tsx.ts reads it where the program runs from its sources. */
declare module '*.woff2?inline' {
  const address: string
  // biome-ignore lint/style/noDefaultExport: this is what Vite gives a file.
  export default address
}
