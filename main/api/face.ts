import type { ConsoleDescription, RequestInput } from '../../shared/contract/index.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { SecretBox } from '../platform/files/secret-box.ts'

export interface Face {
  readonly kind: ConsoleDescription['face']
  /** Opens a file dialog; the result is null if the operator cancelled. Null if the face has no dialogs. */
  readonly pickFiles: ((kind: RequestInput<'file.pick'>['kind']) => Promise<readonly string[] | null>) | null
  /** Null if there is no keychain; secrets are then files that only this user can read. */
  readonly secrets: SecretBox | null
  /** Program and arguments that keep an operator's command (main/adapters/commands/keep-command.ts). Absent if there are no commands, as in a page. */
  readonly commandKeeper?: readonly string[]
  /** Program and arguments that read a foreign journal in a separate process (main/journal/copy-foreign.ts). Absent if this process reads it. */
  readonly journalReader?: readonly string[]
  /** Prints a self-contained page as an A4 PDF; a failure says what this machine lacks. Absent if this face cannot print. */
  readonly printPdf?: (html: string) => Promise<Result<Uint8Array>>
}
