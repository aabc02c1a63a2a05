/** The environment for a process that a test starts: no variable that configures the service. */
export function inheritedEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE, MALLOC_TRIM_THRESHOLD_ } = process.env
  const ofLauncher = Object.entries({ NODE_COMPILE_CACHE, MALLOC_TRIM_THRESHOLD_ })
  return { PATH, ...Object.fromEntries(ofLauncher.filter(([, value]) => value !== undefined)) }
}
