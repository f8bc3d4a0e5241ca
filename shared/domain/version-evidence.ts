/** Subject of the evidence with the versions that answered a run: values are versions by name. */
export const VERSIONS_READ = 'versions'
/** The name of the negotiated Nova version: `microversion 2.93`. */
export const NOVA_SPOKEN = "Nova's API, as spoken"
