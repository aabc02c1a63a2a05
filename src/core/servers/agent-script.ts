/** The scripts that a server may run, by the last part of their address. */
export type AgentScript = 'install' | 'install.ps1'

/** Where an address goes, with the quotes of either language. PowerShell takes typographic ones for plain ones. */
const PLACES: Record<AgentScript, { line: RegExp; start: string; quote: (text: string) => string }> = {
  install: {
    line: /^address='[^']*'/m,
    start: 'address=',
    quote: (text) => text.replaceAll("'", String.raw`'\''`),
  },
  'install.ps1': {
    line: /^\$Address = '[^']*'/m,
    start: '$Address = ',
    quote: (text) => text.replaceAll(/['\u2018-\u201b]/g, '$&$&'),
  },
}

/** The script with the address that it reports to. It is a URL, so it holds neither double quotes, backslashes nor spaces. */
export function withAddress(kind: AgentScript, script: string, address: string): string {
  const { line, start, quote } = PLACES[kind]
  if (!line.test(script)) throw new Error(`the script for ${kind} has no place for an address`)
  return script.replace(line, () => `${start}'${quote(new URL(address).href)}'`)
}

/** The version that the script itself says: `version=1.0.0`. */
export function versionOf(script: string): string {
  const version = /^version=([\d.]+)/m.exec(script)?.[1]
  if (version === undefined) throw new Error('the script does not tell its version')
  return version
}
