import { type Care, caredFor } from './care.ts'

/** Started by care-sweep.ts over a failing disk that kills it: prints the result of the care, if it gets that far. */
const [care = '', folder = ''] = process.argv.slice(2)
process.stdout.write(JSON.stringify(caredFor(care as Care, folder)))
