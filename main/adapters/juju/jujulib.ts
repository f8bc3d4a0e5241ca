// What is used of Juju's library, and nothing of ours: bundled, this is the file `jujulib.mjs`, which holds the library alone and may be exchanged
// for another build of it, as its licence asks (docs/packages.md).
export { Client } from '@canonical/jujulib'
export { default as action } from '@canonical/jujulib/dist/api/facades/action/index.js'
export { default as application } from '@canonical/jujulib/dist/api/facades/application/index.js'
export { default as client } from '@canonical/jujulib/dist/api/facades/client/index.js'
export { default as modelManager } from '@canonical/jujulib/dist/api/facades/model-manager/index.js'
