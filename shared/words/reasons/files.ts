import type { Finding, TextsOf } from '../steps/coded.ts'

/** `fault`: why it is unusable. */
type OfPath = { readonly path: string; readonly fault: Finding }

/** Problems that the YAML parser finds, in plain words. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'bad indent': 'the indentation is wrong',
  'bad scalar start': 'a value starts with a character that needs quotes',
  'block as implicit key': 'a value and a list or mapping below it',
  'duplicate key': 'a key appears twice',
  'missing char': 'a character is missing, such as a colon, a comma or a bracket',
  'multiline implicit key': 'a line without a colon',
  'tab as indent': 'a tab in the indentation',
  'unexpected token': 'unexpected text',
}

export function yamlProblem(code: string): string {
  const problem = code.toLowerCase().replaceAll('_', ' ')
  return PROBLEMS[problem] ?? problem
}

/** Refusals of files that an operator names. The fault of a file or text is a clause without a full stop. */
export const FILES_REASONS = {
  DiskFull: () => 'the disk is full',
  FileAbsent: () => 'it does not exist',
  FileForbidden: () => 'this user has no permission',
  FileIsDirectory: () => 'it is a directory, not a file',
  FileNotLookedAt: ({ path, fault }: OfPath) => `Cannot inspect ${path}: ${fault.message}.`,
  FileNotRead: ({ path, fault }: OfPath) => `Cannot read ${path}: ${fault.message}.`,
  FileNotRegular: () => 'it is not a regular file',
  FileSilent: ({ seconds }: { readonly seconds: number }) => `it did not answer within ${seconds} s`,
  FileSystemReadOnly: () => 'the file system is read-only',
  FileTooLarge: ({ bytes }: { readonly bytes: number }) => `it is larger than ${bytes} bytes`,
  FileTrouble: ({ error }: { readonly error: string | null }) => `the system reports ${error ?? 'no reason'}`,
  LinksInCircle: () => 'its links form a circle',
  NotYaml: ({ line, column, problem }: { readonly line: number; readonly column: number; readonly problem: string }) =>
    `it is not YAML in line ${line}, column ${column} (${yamlProblem(problem)})`,
  PageFileElsewhere: ({ folder }: { readonly folder: string }) =>
    `A page may write files only to ${folder}. Give a file name of letters, digits, dots and dashes, without a folder. To write elsewhere, use the terminal.`,
  PathThroughFile: () => 'a part of the path is a file, not a directory',
  PathUnusable: ({ path, fault }: OfPath) => `${path} is unusable: ${fault.message}. Correct it there.`,
  YamlAliasesTooCostly: () => 'it has too many aliases for its length',
  YamlAliasesUnfollowed: () => 'its anchors and aliases cannot be resolved',
  YamlAliasInCircle: () => 'one of its aliases refers to itself',
  YamlEmpty: () => 'it is empty',
  YamlHasNul: ({ line }: { readonly line: number }) =>
    `line ${line} has NUL bytes, as in UTF-16 without a byte order mark: save it as UTF-8`,
  YamlNotText: ({ line }: { readonly line: number }) =>
    `line ${line} has bytes that are neither UTF-8 nor UTF-16: save it as UTF-8`,
  YamlSeveralDocuments: () => 'it contains several YAML documents instead of one',
  YamlTagUnknown: () => 'a value has an unknown tag, for example of an encrypted value',
  YamlTooDeep: ({ levels }: { readonly levels: number }) => `it is nested deeper than ${levels} levels`,
  YamlTooLong: ({ most }: { readonly most: number }) => `it has more than ${most} tokens`,
  YamlTooManyAliases: ({ most }: { readonly most: number }) => `it has more than ${most} aliases`,
} satisfies TextsOf<string>
