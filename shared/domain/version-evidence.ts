/** The subject of evidence about the versions that answered a run, by name. */
export const VERSIONS_READ = 'versions'
export const NOVA_SPOKEN = "Nova's API, as spoken"
