// Re-exports Juju's library and nothing else: bundled, this is `jujulib.mjs`, which users may replace by another build, as its licence requires
// (docs/packages.md).
export { Client } from '@canonical/jujulib'
export { default as action } from '@canonical/jujulib/dist/api/facades/action/index.js'
export { default as application } from '@canonical/jujulib/dist/api/facades/application/index.js'
export { default as client } from '@canonical/jujulib/dist/api/facades/client/index.js'
export { default as modelManager } from '@canonical/jujulib/dist/api/facades/model-manager/index.js'
