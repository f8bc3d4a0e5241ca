import type { PieceKind } from './pieces.ts'

/** Words that no comment, message, document or name of this project has, and what to write instead. */
export interface Pattern {
  /** A regular expression without its flags. A blank stands for any white space, also the end of a line. */
  readonly find: string
  /** What to write instead. */
  readonly instead: string
  /** Where it applies; absent: in all prose, but not in names. */
  readonly kinds?: readonly PieceKind[]
  /** A text in which it is found, and one that is fine. */
  readonly bad: string
  readonly fine: string
}

/** What an operator may read: messages, and documents. */
export const READ: readonly PieceKind[] = ['message', 'document']
/** Everything but names. */
export const PROSE: readonly PieceKind[] = ['comment', 'message', 'test text', 'document']
