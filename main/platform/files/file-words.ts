import { because } from '../../../shared/words/reasons.ts'
import type { Finding } from '../../../shared/words/steps/coded.ts'

export function systemCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** Why a file or directory cannot be used; unexpected errors show only the system's code. */
export function fileFault(error: unknown): Finding {
  const code = systemCode(error)
  switch (code) {
    case 'ENOENT':
      return because('FileAbsent')
    case 'EACCES':
    case 'EPERM':
      return because('FileForbidden')
    case 'EROFS':
      return because('FileSystemReadOnly')
    case 'ENOSPC':
    case 'EDQUOT':
      return because('DiskFull')
    case 'ENOTDIR':
    case 'EEXIST':
      return because('PathThroughFile')
    case 'EISDIR':
      return because('FileIsDirectory')
    case 'ELOOP':
      return because('LinksInCircle')
    default:
      return because('FileTrouble', { error: code })
  }
}
