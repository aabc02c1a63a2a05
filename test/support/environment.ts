/** The environment for a process that a test starts: no variable that configures the service. */
export function inheritedEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE }
}
