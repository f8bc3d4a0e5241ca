import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLES, readInventories } from './bundle-inventory.ts'
import { writePapers } from './papers.ts'

// Run at the end of each build: notices and a bill of materials of all that is built now.
const OUT = join(import.meta.dirname, '../out')
const built = BUNDLES.filter(bundle => existsSync(join(OUT, 'inventory', `${bundle}.json`)))
writePapers(OUT, readInventories(OUT, built))
