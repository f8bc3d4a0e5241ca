import { accessSync, constants, existsSync, readdirSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { because } from '../../../shared/words/reasons.ts'
import { type Finding as Coded, namesOf } from '../../../shared/words/steps/coded.ts'
import { fileFault, systemCode } from '../../platform/files/file-words.ts'
import { type Finding, findingsAbout } from './finding.ts'

/** Below the first, a run may not be journaled to its end; below the second it is time to free space. */
const SPACE_NEEDED = 50 * 1024 ** 2
const SPACE_WANTED = 1024 ** 3

const { fine, attention, broken, cannotTell } = findingsAbout('data directory')

/** Examines the data directory without writing. `isReadable`: its files may be read too. */
export function examineDataDirectory(
  path: string,
  ownUser: number | null,
): { readonly findings: readonly Finding[]; readonly isReadable: boolean } {
  const found = statusOf(path)
  if (found.kind === 'absent') {
    return { findings: [...absent(path), spaceOf(nearest(path))], isReadable: true }
  }
  if (found.kind === 'refused')
    return { findings: [unusable(path, found.fault), spaceOf(nearest(path))], isReadable: false }
  if (!found.status.isDirectory()) return { findings: [unusable(path, because('PathIsFile'))], isReadable: false }
  const readable = trouble(path, constants.R_OK | constants.X_OK)
  if (readable !== null) return { findings: [unusable(path, readable), spaceOf(path)], isReadable: false }
  return {
    findings: [writableOf(path), modeOf(path, found.status, ownUser), ...filesOf(path, ownUser), spaceOf(path)],
    isReadable: true,
  }
}

function unusable(path: string, fault: Coded): Finding {
  return broken('place', because('FolderNotUsable', { path, fault }), because('GiveFolderBackNext'))
}

function absent(path: string): readonly Finding[] {
  const above = nearest(path)
  const fault = trouble(above, constants.W_OK | constants.X_OK)
  return fault === null
    ? [fine('place', because('FolderMadeLater', { path }))]
    : [broken('place', because('FolderNotMakeable', { path, above, fault }), because('AnotherDirectoryNext'))]
}

function writableOf(path: string): Finding {
  const fault = trouble(path, constants.W_OK | constants.X_OK)
  return fault === null
    ? fine('place', because('FolderWritable', { path }))
    : broken('place', because('FolderNotWritable', { path, fault }), because('MakeFolderWritableNext'))
}

function modeOf(path: string, { mode, uid }: Stats, ownUser: number | null): Finding {
  if (ownUser !== null && uid !== ownUser) {
    return attention(
      'permissions',
      because('FolderOfOtherUser', { path, owner: uid, user: ownUser }),
      because('OwnFolderNext'),
    )
  }
  return process.platform !== 'win32' && (mode & 0o022) !== 0
    ? attention('permissions', because('FolderOpenToOthers', { path }), because('CloseFolderNext', { path }))
    : fine('permissions', because('FolderForOwnerOnly', { path }))
}

/** Beyond this number of files the check takes too long. */
const MOST_FILES = 10_000

/** Files (secrets, logs, exports, mirrored journals) must be readable by this user only; names each that is not. Skips folders that only their owner can enter. */
function filesOf(path: string, ownUser: number | null): readonly Finding[] {
  if (process.platform === 'win32') return []
  const looked = { files: 0, open: [] as string[], foreign: [] as string[] }
  const look = (folder: string) => {
    for (const entry of readdirSync(join(path, folder), { withFileTypes: true })) {
      const name = join(folder, entry.name)
      const status = statSync(join(path, name), { throwIfNoEntry: false })
      if (status === undefined || looked.files > MOST_FILES) continue
      const isFolder = entry.isDirectory()
      if (!isFolder && !status.isFile()) continue
      looked.files += 1
      if (ownUser !== null && status.uid !== ownUser) looked.foreign.push(name)
      const isOpen = (status.mode & 0o077) !== 0
      if (isFolder && isOpen) look(name)
      else if (isOpen) looked.open.push(name)
    }
  }
  try {
    look('')
  } catch (error) {
    return [cannotTell('files', because('DataFilesNotLookedAt', { path, fault: fileFault(error) }))]
  }
  const { files, open, foreign } = looked
  return [
    ...(foreign.length === 0
      ? []
      : [
          attention(
            'owner of files',
            because('DataFilesOfOthers', { files: namesOf(foreign) }),
            because('ChangeOwnerNext'),
          ),
        ]),
    readableBy(path, open, files),
  ]
}

function readableBy(path: string, open: readonly string[], files: number): Finding {
  if (open.length > 0) {
    const paths = [...new Set(open.map(name => join(path, name.split(sep)[0] ?? '')))]
    return attention('files', because('DataFilesOpen', { files: namesOf(open) }), because('CloseFilesNext', { paths }))
  }
  if (files > MOST_FILES) return cannotTell('files', because('DataFilesTooMany', { path, most: MOST_FILES }))
  return fine('files', files === 0 ? because('NoDataFiles') : because('DataFilesForOwnerOnly'))
}

function spaceOf(path: string): Finding {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(path)
    const room = bavail * bsize
    const seen = because('DiskRoom', { path, bytes: room })
    if (files > 0 && ffree === 0) return broken('room', because('DiskHasNoInode', { path }), because('RemoveFilesNext'))
    if (room < SPACE_NEEDED) return broken('room', seen, because('MakeRoomForRunsNext'))
    if (room < SPACE_WANTED) return attention('room', seen, because('MakeRoomNext'))
    return fine('room', seen)
  } catch (error) {
    return cannotTell('room', because('DiskRoomNotKnown', { path, fault: fileFault(error) }))
  }
}

function statusOf(
  path: string,
):
  | { readonly kind: 'there'; readonly status: Stats }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly fault: Coded } {
  try {
    return { kind: 'there', status: statSync(path) }
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? { kind: 'absent' } : { kind: 'refused', fault: fileFault(error) }
  }
}

function trouble(path: string, wanted: number): Coded | null {
  try {
    accessSync(path, wanted)
    return null
  } catch (error) {
    return fileFault(error)
  }
}

function nearest(path: string): string {
  let above = path
  while (!existsSync(above) && dirname(above) !== above) above = dirname(above)
  return above
}
