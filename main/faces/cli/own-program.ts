/** The command line that starts this program again, with a word that selects a special task. */
export function ownProgram(word: string): readonly string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', word]
}
