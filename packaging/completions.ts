/** Completion for bash, zsh and fish. Each asks the program itself what may come, so that none of them knows a command. */
export const COMPLETIONS = {
  bash: `# Completion of lockkeeper for bash.
_lockkeeper() {
  local line word before=
  local -a words=()
  COMPREPLY=()
  # Bash takes --flag=value apart into three words; the program is given one, and what it offers is cut to what bash replaces.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [ "$word" = = ] && [ "\${#words[@]}" -gt 0 ]; then
      before="\${words[-1]}="
      words[-1]=$before
    elif [ -n "$before" ]; then
      words[-1]+=$word
      [ "\${words[-1]}" = "$before" ] || before=
    else
      words+=("$word")
    fi
  done
  before=
  case "\${words[-1]-}" in --*=*) before="\${words[-1]%%=*}=" ;; esac
  while IFS= read -r line; do
    if [ "$line" = :files ]; then
      compopt -o filenames 2>/dev/null
      word="\${words[-1]-}"
      mapfile -t COMPREPLY < <(compgen -f -- "\${word#"$before"}")
      return
    fi
    line="\${line%%$'\\t'*}"
    COMPREPLY+=("\${line#"$before"}")
  done < <(lockkeeper __complete "\${words[@]}" 2>/dev/null)
}
complete -F _lockkeeper lockkeeper
`,
  zsh: `#compdef lockkeeper
# Completion of lockkeeper for zsh.
local -a offered
local line
for line in "\${(@f)$(lockkeeper __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
  if [[ $line == :files ]]; then
    compset -P "--*="
    _files
    return
  fi
  [[ -n $line ]] && offered+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
done
_describe -V lockkeeper offered
`,
  fish: `# Completion of lockkeeper for fish.
function __lockkeeper_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l offered (lockkeeper __complete $words[2..] "$current" 2>/dev/null)
    if test "$offered" = ":files"
        __fish_complete_path "$current"
    else
        printf '%s\\n' $offered
    end
end
complete -c lockkeeper -f -a '(__lockkeeper_complete)'
`,
} as const
