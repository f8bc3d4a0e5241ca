import { type Failure, failure } from '../../../shared/domain/failure.ts'
import { replaceFile, writeFresh } from '../../platform/files/write-whole.ts'

/** Advice for a path that cannot be written, with the flags of the command. */
interface WaysAround {
  readonly another: string
  readonly whereOneIs: string
}

/** Alternatives for commands that have -o. */
const BY_OUTPUT: WaysAround = {
  another: 'name another file with -o',
  whereOneIs: 'Name another file with -o, or overwrite it with --force.',
}

/** Writes a file for this user only; overwrites an existing one only if `overwrite`. Null if it was written. */
export async function saveFile(
  path: string,
  bytes: Buffer,
  overwrite: boolean,
  around: WaysAround = BY_OUTPUT,
): Promise<Failure | null> {
  try {
    if (overwrite) await replaceFile(path, bytes)
    else await writeFresh(path, bytes)
    return null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    const target = { target: path }
    if (code === 'EEXIST') {
      return failure('conflict', `${path} exists already and was not changed. ${around.whereOneIs}`, target)
    }
    const fault = DISK_FAULTS.has(code) ? 'server-fault' : 'bad-input'
    return failure(fault, `Could not write ${path} (${code}): ${whyNotWritten(code, around)}`, target)
  }
}

/** With most commands `-o json` sets the format; here -o names a file. Null if it is a file name. `instead`: how to get JSON. */
export function notAFile(output: string | null, instead: string): string | null {
  if (output !== 'json' && output !== 'table') return null
  return `Here -o names a file. ${instead}; for a file of that name use -o ./${output}.`
}

/** Errors that another path would not avoid, or that come from the disk. */
const DISK_FAULTS: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EIO'])

function whyNotWritten(code: string, { another }: WaysAround): string {
  switch (code) {
    case 'ENOENT':
      return `its folder does not exist. Create it, or ${another}.`
    case 'EISDIR':
      return `it is a folder: ${another}.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `you have no permission to write there: ${another}.`
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full; nothing was written. Free space, then try again.'
    case 'EIO':
      return `the disk reports errors. Check the kernel log, or ${another} on another disk.`
    case 'EFTYPE':
      return `it is a device or a pipe: ${another}.`
    default:
      return `${another}.`
  }
}
