/** This program, as it was started, with a word that tells it what to do. */
export function ownProgram(word: string): readonly string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? '', word]
}
