/** The code of a system error such as ENOENT; null when it is something else. */
export function systemCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** Why a file or directory cannot be used, in an operator's words; only the system's code is told of anything unexpected. */
export function fileTrouble(error: unknown): string {
  const code = systemCode(error)
  switch (code) {
    case 'ENOENT':
      return 'it does not exist'
    case 'EACCES':
    case 'EPERM':
      return 'this user may not'
    case 'EROFS':
      return 'the file system is read-only'
    case 'ENOSPC':
    case 'EDQUOT':
      return 'the disk is full'
    case 'ENOTDIR':
    case 'EEXIST':
      return 'a part of the path is a file, not a directory'
    case 'EISDIR':
      return 'it is a directory, not a file'
    case 'ELOOP':
      return 'its links lead in a circle'
    default:
      return `the system says ${code ?? 'no more'}`
  }
}
