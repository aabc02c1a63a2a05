/**
 * Scenarios in which the official conformance suite expects a server of its own, with tools, prompts and resources
 * made for it. A check may fail in these scenarios only, and only by saying that the thing it wants is not there.
 */
export type Exception = { scenario: RegExp; reason: string; message: RegExp }

/**
 * The suite gives a stream 0.8 s to say something, which a slow machine may not keep: that the stream is acknowledged
 * and names itself is a test of ours, without a bound on time.
 */
export const LATE_FOR_THE_SUITE = /^Failed to open (or receive frames|stream line)/

const NO_SUCH_TOOL = /Unknown tool: |Not testable: |Tool '\w+' not found|^Prerequisite failed: /
const NO_SUCH_METHOD = /Method not found|-32601/

export const EXCEPTIONS: Exception[] = [
  {
    scenario: /^tools-call-/,
    reason:
      "calls the suite's own test tools, such as test_simple_text; test/long/services/api/mcp.test.ts calls ours",
    message: NO_SUCH_TOOL,
  },
  { scenario: /^tools-call-with-logging$/, reason: 'no log messages are sent', message: NO_SUCH_METHOD },
  {
    scenario: /^elicitation-|^input-required-result-/,
    reason: 'no tool asks the person behind the client for more: its arguments say everything',
    message: /Unknown tool: |^Prerequisite failed: |^Expected InputRequiredResult/,
  },
  {
    scenario: /^input-required-result-non-tool-request$/,
    reason: 'no prompts are offered',
    message: NO_SUCH_METHOD,
  },
  {
    scenario: /^json-schema-2020-12$/,
    reason: 'wants a test tool with every keyword of JSON Schema',
    message: NO_SUCH_TOOL,
  },
  {
    scenario: /^http-custom-header-server-validation$/,
    reason: 'no argument is repeated in a header (x-mcp-header)',
    message: NO_SUCH_TOOL,
  },
  {
    scenario: /^server-stateless$/,
    reason: 'four of its checks call test tools; the others pass',
    message: NO_SUCH_TOOL,
  },
  {
    scenario: /^(prompts-|resources-|completion-complete$|logging-set-level$|caching$)/,
    reason:
      'no prompts, resources, completions or log messages are offered; the list of tools says how long it holds',
    message: NO_SUCH_METHOD,
  },
  {
    scenario: /^tasks-/,
    reason: 'an extension for calls that take long: every call of ours is answered at once',
    message: /./,
  },
]
