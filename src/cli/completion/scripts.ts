/** For each shell a script that asks the program what may come next; where it says nothing, files are offered. */
export const SCRIPTS = {
  bash: `# tollgate: completion for bash. Load it with: source <(tollgate completion bash)
_tollgate() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" completion --words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _tollgate tollgate`,
  zsh: `#compdef tollgate
# tollgate: completion for zsh. Load it with: source <(tollgate completion zsh)
_tollgate() {
  local -a found
  found=("\${(@f)$("\${words[1]}" completion --words -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
compdef _tollgate tollgate`,
  fish: `# tollgate: completion for fish. Load it with: tollgate completion fish | source
function __tollgate_words
  set -l typed (commandline -opc) (commandline -ct)
  set -l found ($typed[1] completion --words -- $typed[2..-1] 2>/dev/null)
  if test -n "$found"
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c tollgate -f -a '(__tollgate_words)'`,
} as const;

export type Shell = keyof typeof SCRIPTS;
