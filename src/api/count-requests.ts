import type { MiddlewareHandler } from 'hono'

declare module 'hono' {
  interface ContextVariableMap {
    /** What was asked, by the name that figures give it. Set by whoever answers. */
    operation: string
  }
}

/** Tells of each answer what was asked, how it was answered, and after how many seconds it began. */
export function countRequests(
  note: (operation: string, status: number, seconds: number) => void,
): MiddlewareHandler {
  return async (context, next) => {
    const began = performance.now()
    await next()
    note(context.get('operation') ?? 'other', context.res.status, (performance.now() - began) / 1_000)
  }
}
