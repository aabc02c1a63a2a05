import type { MiddlewareHandler } from 'hono'

declare module 'hono' {
  interface ContextVariableMap {
    /** The operation's name in metrics, set by the handler of the request. */
    operation: string
  }
}

/** Reports the operation, status and seconds until the response of every request. */
export function countRequests(
  note: (operation: string, status: number, seconds: number) => void,
): MiddlewareHandler {
  return async (context, next) => {
    const began = performance.now()
    await next()
    note(context.get('operation') ?? 'other', context.res.status, (performance.now() - began) / 1_000)
  }
}
