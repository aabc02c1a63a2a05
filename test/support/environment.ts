/** Passed on where they are set: how Node itself works. */
const NODE_SETTINGS = ['NODE_COMPILE_CACHE', 'MALLOC_ARENA_MAX']

/** The environment for a process that a test starts: no variable that configures the service. */
export function inheritedEnvironment(): Record<string, string> {
  const { PATH = '' } = process.env
  const settings = NODE_SETTINGS.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { PATH, ...Object.fromEntries(settings) }
}
