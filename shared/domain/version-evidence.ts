/** Of evidence about the versions that answered a run, by name. */
export const VERSIONS_READ = 'versions'
/** The negotiated version: `microversion 2.93`. */
export const NOVA_SPOKEN = "Nova's API, as spoken"
