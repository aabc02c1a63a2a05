import { Argument, type Command } from 'commander'
import type { Context } from './client/connect.ts'

/** A command and the words that can follow it. */
type CommandNode = {
  /** The words that lead to it, each preceded by a space. */
  chain: string
  commands: { name: string; description: string }[]
  options: { flag: string; description: string; choices: string[]; takesValue: boolean }[]
  takesFile: boolean
}

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const
type Shell = keyof typeof SHELLS

const FILE_ARGUMENTS = ['file']

export function addCompletion(program: Command, { terminal }: Context): void {
  program
    .command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'shell').choices(Object.keys(SHELLS)))
    .action((shell: Shell) => terminal.out(SHELLS[shell](nodesOf(program)).trimEnd()))
}

function nodesOf(command: Command, chain = ''): CommandNode[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command).filter((each) => each.name() !== 'help')
  const options = help.visibleOptions(command).map((option) => ({
    flag: option.long ?? option.short ?? '',
    description: firstPart(option.description),
    choices: option.argChoices ?? [],
    takesValue: option.required,
  }))
  const takesFile = command.registeredArguments.some((argument) => FILE_ARGUMENTS.includes(argument.name()))
  const choices = command.registeredArguments.flatMap((argument) => argument.argChoices ?? [])
  const words = [
    ...commands.map((each) => ({ name: each.name(), description: firstPart(each.description()) })),
    ...choices.map((name) => ({ name, description: name })),
  ]
  return [
    { chain, commands: words, options, takesFile },
    ...commands.flatMap((each) => nodesOf(each, `${chain} ${each.name()}`)),
  ]
}

/** Short enough for a menu, without characters that are special to a shell. */
function firstPart(text: string): string {
  return (text.split(/[:;(]/)[0] ?? '').replaceAll(/[^\w ,.-]/g, '').trim()
}

function bashScript(nodes: CommandNode[]): string {
  const words = ({ commands, options }: CommandNode) =>
    [...commands.map(({ name }) => name), ...options.map(({ flag }) => flag)].join(' ')
  return `# bash completion for upbeat: source <(upbeat completion bash)
_upbeat() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} chain= word found=
  COMPREPLY=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$chain $word" in
      ${chainPatterns(nodes)}) chain="$chain $word" ;;
    esac
  done
  case "$chain:$prev" in
${valueCases(nodes, (choices) => `COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$cur")); return`)}
  esac
  case "$chain" in
${nodes.map((node) => `    ${quote(node.chain)}) found=${quote(words(node))} ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$found" -- "$cur"))
  case "$chain" in
    ${filePatterns(nodes)}) [[ $cur == -* ]] || COMPREPLY+=($(compgen -f -- "$cur")) ;;
  esac
}
complete -o filenames -F _upbeat upbeat
`
}

function zshScript(nodes: CommandNode[]): string {
  const described = (name: string, description: string) => quote(`${name}:${description}`)
  const found = ({ commands, options }: CommandNode) =>
    [
      ...commands.map(({ name, description }) => described(name, description)),
      ...options.map(({ flag, description }) => described(flag, description)),
    ].join(' ')
  return `#compdef upbeat
# zsh completion for upbeat: upbeat completion zsh > a folder of $fpath, as _upbeat
_upbeat() {
  local chain= word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$chain $word" in
      ${chainPatterns(nodes)}) chain="$chain $word" ;;
    esac
  done
  case "$chain:\${words[CURRENT-1]}" in
${valueCases(nodes, (choices) => `compadd -- ${choices.join(' ')}; return`)}
  esac
  case "$chain" in
${nodes.map((node) => `    ${quote(node.chain)}) found=(${found(node)}) ;;`).join('\n')}
  esac
  _describe upbeat found
  case "$chain" in
    ${filePatterns(nodes)}) _files ;;
  esac
}
if [ "$funcstack[1]" = _upbeat ]; then _upbeat "$@"; else compdef _upbeat upbeat; fi
`
}

function fishScript(nodes: CommandNode[]): string {
  const lines = nodes.flatMap(({ chain, commands, options, takesFile }) => {
    const at = `complete -c upbeat -n ${quote(`__upbeat_at${chain}`)}`
    return [
      ...commands.map(({ name, description }) => `${at} -a ${name} -d ${quote(description)}`),
      ...options.map(({ flag, description, choices, takesValue }) => {
        const value = choices.length > 0 ? ` -x -a ${quote(choices.join(' '))}` : takesValue ? ' -x' : ''
        const name = flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`
        return `${at} ${name}${value} -d ${quote(description)}`
      }),
      ...(takesFile ? [`${at} -F`] : []),
    ]
  })
  return `# fish completion for upbeat: upbeat completion fish > ~/.config/fish/completions/upbeat.fish
function __upbeat_at
  set -l chain
  for word in (commandline -opc)[2..-1]
    switch "$chain $word"
      case ${nodes
        .filter(({ chain }) => chain !== '')
        .map(({ chain }) => quote(chain))
        .join(' ')}
        set chain "$chain $word"
    end
  end
  set -l wanted (string join ' ' -- '' $argv)
  test "$chain" = "$wanted"
end
complete -c upbeat -f
${lines.join('\n')}
`
}

function chainPatterns(nodes: CommandNode[]): string {
  return nodes
    .filter(({ chain }) => chain !== '')
    .map(({ chain }) => quote(chain))
    .join('|')
}

function filePatterns(nodes: CommandNode[]): string {
  return nodes
    .filter(({ takesFile }) => takesFile)
    .map(({ chain }) => quote(chain))
    .join('|')
}

/** Completes the value of an option: its choices, or nothing. */
function valueCases(nodes: CommandNode[], reply: (choices: string[]) => string): string {
  return nodes
    .flatMap(({ chain, options }) =>
      options
        .filter(({ takesValue }) => takesValue)
        .map(({ flag, choices }) => {
          const answer = choices.length > 0 ? reply(choices) : 'return'
          return `    ${quote(`${chain}:${flag}`)}) ${answer} ;;`
        }),
    )
    .join('\n')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", '')}'`
}
