import type { ConsoleDescription, RequestInput } from '../../shared/contract/index.ts'
import type { Result } from '../../shared/domain/result.ts'
import type { SecretBox } from '../platform/files/secret-box.ts'

/** What the face in front of the application brings with it. */
export interface Face {
  readonly kind: ConsoleDescription['face']
  /** Opens a file dialog; null answer: the operator chose none. Null where the face has no dialogs. */
  readonly pickFiles: ((kind: RequestInput<'file.pick'>['kind']) => Promise<readonly string[] | null>) | null
  /** Null where the face has no keychain: secrets are then files that only this user can read. */
  readonly secrets: SecretBox | null
  /**
   * The program and its first arguments that keep a command of the operator's (main/adapters/commands/keep-command.ts): whoever sits at a terminal could have this machine
   * run it anyway. Absent: nobody in front may, as of a page.
   */
  readonly commandKeeper?: readonly string[]
  /**
   * The program and its first arguments that read a journal of somebody else in a process of their own, to which the file and the copy to be made are added
   * (main/journal/copy-foreign.ts). Absent: it is read by this process.
   */
  readonly journalReader?: readonly string[]
  /** Prints a self-contained page as PDF, A4; a failure says what is missing on this machine. Absent: this face cannot print. */
  readonly printPdf?: (html: string) => Promise<Result<Uint8Array>>
}
