/** Subject of the evidence that tells what answered a run: values are versions by name. */
export const VERSIONS_READ = 'versions'
/** The name under which the version is told that Nova is spoken to with: `microversion 2.93`. */
export const NOVA_SPOKEN = "Nova's API, as spoken"
