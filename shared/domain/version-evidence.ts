/** Subject of the evidence that tells what answered a run: values are versions by name. */
export const VERSIONS_READ = 'versions'
