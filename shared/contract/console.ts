import { z } from 'zod'
import { MailSettings } from '../domain/mail.ts'

/** How this console looks for this operator, the same in every tab and window. */
export const Preferences = z.strictObject({
  theme: z.enum(['system', 'light', 'dark']),
  /** The other zone is on hover. */
  clock: z.enum(['local', 'utc']),
  notifications: z.boolean(),
})
export type Preferences = z.infer<typeof Preferences>

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  clock: 'local',
  notifications: true,
}

export const ConsoleDescription = z.strictObject({
  version: z.string(),
  face: z.enum(['desktop', 'serve', 'terminal', 'runner']),
  demo: z.boolean(),
  operator: z.string(),
  machine: z.string(),
  pid: z.number().int(),
  /** Distinguishes its own runs from other processes' runs. */
  driverId: z.string(),
  dataDirectory: z.string(),
  picksFiles: z.boolean(),
  secrets: z.strictObject({ kind: z.enum(['keychain', 'file']), words: z.string() }),
})
export type ConsoleDescription = z.infer<typeof ConsoleDescription>

const FileKind = z.enum(['kubeconfig', 'clouds'])

export const consoleRequests = {
  'console.describe': { effect: 'read', input: z.strictObject({}), output: ConsoleDescription },
  'preferences.show': { effect: 'read', input: z.strictObject({}), output: Preferences },
  'preferences.change': { effect: 'write', input: Preferences.partial(), output: Preferences },
  /** Null if never configured. The password is never returned. */
  'mail.show': {
    effect: 'read',
    input: z.strictObject({}),
    output: z.strictObject({ settings: MailSettings, hasPassword: z.boolean() }).nullable(),
  },
  /** `password`: absent keeps the stored one, an empty one removes it. */
  'mail.change': {
    effect: 'write',
    input: z.strictObject({ settings: MailSettings, password: z.string().max(1_000).optional() }),
    output: z.strictObject({}),
  },
  /** Opens the desktop's file dialog; null paths: the operator chose none. Faces without dialogs refuse it. */
  'file.pick': {
    effect: 'read',
    input: z.strictObject({ kind: FileKind }),
    output: z.strictObject({ paths: z.array(z.string()).nullable() }),
  },
  'file.suggest': {
    effect: 'read',
    input: z.strictObject({ kind: FileKind }),
    output: z.strictObject({ paths: z.array(z.string()) }),
  },
  /** Keeps a copy of a file dropped on a page whose browser hides its path, for this user only. */
  'file.keep': {
    effect: 'write',
    input: z.strictObject({ name: z.string().max(500), content: z.string().max(1_000_000) }),
    output: z.strictObject({ path: z.string() }),
  },
} as const

export const consoleEvents = {
  'preferences.changed': Preferences,
} as const
