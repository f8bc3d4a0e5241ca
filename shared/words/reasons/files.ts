import type { Finding, TextsOf } from '../steps/coded.ts'

/** `fault`: why it cannot be used. */
type OfPath = { readonly path: string; readonly fault: Finding }

/** What the reader of YAML calls a problem, as somebody would say it who looks at the line. */
const PROBLEMS: Readonly<Record<string, string>> = {
  'bad indent': 'the indentation does not fit',
  'bad scalar start': 'a value begins with a sign that needs quotes',
  'block as implicit key': 'a value and a list or mapping below it',
  'duplicate key': 'a key stands twice',
  'missing char': 'a sign is missing, such as a colon, a comma or a bracket',
  'multiline implicit key': 'a line without a colon',
  'tab as indent': 'a tab where blanks belong',
  'unexpected token': 'something stands here that does not belong here',
}

export function yamlProblem(code: string): string {
  const problem = code.toLowerCase().replaceAll('_', ' ')
  return PROBLEMS[problem] ?? problem
}

/** Texts of files that an operator names. What is wrong with one file or text is a clause without a full stop. */
export const FILES_REASONS = {
  DiskFull: () => 'the disk is full',
  FileAbsent: () => 'it does not exist',
  FileForbidden: () => 'this user may not',
  FileIsDirectory: () => 'it is a directory, not a file',
  FileNotLookedAt: ({ path, fault }: OfPath) => `Cannot look at ${path}: ${fault.message}.`,
  FileNotRead: ({ path, fault }: OfPath) => `Cannot read ${path}: ${fault.message}.`,
  FileNotRegular: () => 'it is not a regular file',
  FileSilent: ({ seconds }: { readonly seconds: number }) => `it gave no answer in ${seconds} s`,
  FileSystemReadOnly: () => 'the file system is read-only',
  FileTooLarge: ({ bytes }: { readonly bytes: number }) => `it is larger than ${bytes} bytes`,
  FileTrouble: ({ error }: { readonly error: string | null }) => `the system says ${error ?? 'no more'}`,
  LinksInCircle: () => 'its links lead in a circle',
  NotYaml: ({ line, column, problem }: { readonly line: number; readonly column: number; readonly problem: string }) =>
    `it is not YAML in line ${line}, column ${column} (${yamlProblem(problem)})`,
  PageFileElsewhere: ({ folder }: { readonly folder: string }) =>
    `A page may have files written to ${folder} alone. Give a file name of letters, digits, dots and dashes, without a folder; to write elsewhere, use the terminal.`,
  PathThroughFile: () => 'a part of the path is a file, not a directory',
  PathUnusable: ({ path, fault }: OfPath) => `${path} cannot be used: ${fault.message}. Correct it there.`,
  YamlAliasesTooCostly: () => 'it has too many aliases for its length',
  YamlAliasesUnfollowed: () => 'its anchors and aliases cannot be followed',
  YamlAliasInCircle: () => 'an alias of it means itself',
  YamlEmpty: () => 'it holds nothing',
  YamlHasNul: ({ line }: { readonly line: number }) =>
    `line ${line} has NUL bytes, as UTF-16 without a byte order mark has: save it as UTF-8`,
  YamlNotText: ({ line }: { readonly line: number }) =>
    `line ${line} has bytes that are neither UTF-8 nor UTF-16: save it as UTF-8`,
  YamlSeveralDocuments: () => 'it holds several YAML documents, and only one can be meant',
  YamlTagUnknown: () => 'a value has a tag that stands for another one, such as an encrypted one',
  YamlTooDeep: ({ levels }: { readonly levels: number }) => `it is nested deeper than ${levels} levels`,
  YamlTooLong: ({ most }: { readonly most: number }) => `it has more than ${most} words and signs`,
  YamlTooManyAliases: ({ most }: { readonly most: number }) => `it has more than ${most} aliases`,
} satisfies TextsOf<string>
