import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { Scope } from '../scope.ts'
import { listen } from '../servers/receivers.ts'
import type { Ran } from './command.ts'
import { operatorAt } from './remote-command.ts'

/** The result that a shell gets from a function that runs here; `environment` is the shell's own. */
export type ShellFunction = (
  args: string[],
  environment: { url: string; token: string },
) => Promise<Pick<Ran, 'out' | 'err' | 'status'>>

/** The text that defines functions for bash, each of which runs in this process. */
export async function shellFunctions(
  scope: Scope,
  functions: Record<string, ShellFunction>,
): Promise<string> {
  const server = createServer(async (request, response) => {
    try {
      const [url = '', token = '', ...args] = (await buffer(request)).toString().split('\0').slice(0, -1)
      const { out, err, status } = await named(functions, request.url ?? '')(args, { url, token })
      response.end(`printf %s ${quoted(out)}; printf %s ${quoted(err)} >&2; return ${status}`)
    } catch (error) {
      response.end(`printf '%s\\n' ${quoted(String(error))} >&2; return 1`)
    }
  })
  const port = await listen(server)
  scope.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const definitions = Object.keys(functions).map(
    (name) => `${name}() {
  local answer
  answer=$(printf '%s\\0' "\${UPBEAT_URL:-}" "\${UPBEAT_TOKEN:-}" "$@" |
    curl -sS --fail --data-binary @- http://127.0.0.1:${port}/${name}) || return
  eval "$answer"
}`,
  )
  return definitions.join('\n')
}

/** `npx upbeat` on the machine of the service with these settings, without a process; files are those of `folder`. */
export function npxUpbeat(scope: Scope, env: Record<string, string>, folder: string): ShellFunction {
  const operator = operatorAt(env, folder)
  scope.after(async () => operator.close())
  return ([program, ...args], environment) => {
    assert.equal(program, 'upbeat')
    return operator.run(args, { environment })
  }
}

function named(functions: Record<string, ShellFunction>, path: string): ShellFunction {
  return functions[path.slice(1)] ?? assert.fail(`there is no function ${path}`)
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
