import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLES, readInventories } from './bundle-inventory.ts'
import { writeLicencesAndSbom } from './licences-and-sbom.ts'

// Run at the end of each build: notices and a bill of materials of all that is built now.
const OUT = join(import.meta.dirname, '../out')
const built = BUNDLES.filter(bundle => existsSync(join(OUT, 'inventory', `${bundle}.json`)))
writeLicencesAndSbom(OUT, readInventories(OUT, built))
