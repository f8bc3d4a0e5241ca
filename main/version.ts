import manifest from '../package.json' with { type: 'json' }

/** The version of this program, as journals and reports carry it. */
export const LOCKKEEPER_VERSION: string = manifest.version
