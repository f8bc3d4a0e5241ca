import { type Care, caredFor } from './care.ts'

/** Started by care-sweep.ts over a failing disk that kills it: says how the care went, if it comes to that. */
const [care = '', folder = ''] = process.argv.slice(2)
process.stdout.write(JSON.stringify(caredFor(care as Care, folder)))
