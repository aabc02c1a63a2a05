import {
  createFileRegistry,
  type FileRegistry,
  fromBinary,
  fromJsonString,
  toBinary,
  toJsonString,
} from '@bufbuild/protobuf'
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { type FileDescriptorProto, FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt'
import { grpcFault } from '../../core/monitors/types/causes.ts'
import type { Calls, GrpcAnswer } from './call.ts'

/** Servers offer one of them, or both. */
const SERVICES = ['grpc.reflection.v1.ServerReflection', 'grpc.reflection.v1alpha.ServerReflection']
const UNIMPLEMENTED = 12
const MAX_FILES = 200
/** Fields of the messages of reflection (grpc/reflection/v1/reflection.proto). */
const ASKING = { fileByName: 3, fileWithSymbol: 4 }
const ANSWERING = { files: 4, error: 7 }

export type Method = {
  path: string
  encode: (json: string) => { bytes: Uint8Array } | { fault: string }
  /** The message as JSON; null if it is none. */
  read: (message: Buffer) => string | null
}

/** Asks a server how a method (`package.Service/Method`) is called. Rejects as calls do. */
export async function describeMethod(
  calls: Calls,
  name: string,
  faultOf: (answer: GrpcAnswer) => string | null,
): Promise<Method | { fault: string }> {
  const [service = '', method = ''] = name.split('/')
  const found = await askForFiles(calls, service, faultOf)
  if ('fault' in found) return found
  const registry = registryOf(found.files, service)
  const described = registry?.getService(service)?.methods.find((one) => one.name === method)
  if (!registry || !described) return { fault: grpcFault(`the server has no method ${name}`) }
  if (described.methodKind !== 'unary')
    return { fault: grpcFault(`${name} streams: only a method with one answer can be called`) }
  return {
    path: `/${service}/${method}`,
    encode: (json) => {
      try {
        return { bytes: toBinary(described.input, fromJsonString(described.input, json, { registry })) }
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error)
        return { fault: grpcFault(`the request is no ${described.input.typeName}: ${why}`) }
      }
    },
    read: (message) => {
      try {
        return toJsonString(described.output, fromBinary(described.output, message), { registry })
      } catch {
        return null
      }
    },
  }
}

type Files = Map<string, FileDescriptorProto>

/** The file with a symbol, and all that it imports. */
async function askForFiles(
  calls: Calls,
  symbol: string,
  faultOf: (answer: GrpcAnswer) => string | null,
): Promise<{ files: Files } | { fault: string }> {
  const files: Files = new Map()
  let service: string | null = null
  const wanted: { field: number; text: string }[] = [{ field: ASKING.fileWithSymbol, text: symbol }]
  for (let next = wanted.pop(); next && files.size < MAX_FILES; next = wanted.pop()) {
    const { field, text } = next
    if (field === ASKING.fileByName && files.has(text)) continue
    const services: readonly string[] = service === null ? SERVICES : [service]
    let answer: GrpcAnswer | null = null
    for (const one of services) {
      const asked = new BinaryWriter().tag(field, WireType.LengthDelimited).string(text).finish()
      answer = await calls.call(`/${one}/ServerReflectionInfo`, asked)
      service = one
      if (answer.code !== UNIMPLEMENTED) break
    }
    if (answer?.code === UNIMPLEMENTED)
      return { fault: grpcFault('the server offers no reflection, which a method is called by') }
    const fault = answer && faultOf(answer)
    if (fault) return { fault }
    const told = filesIn(answer?.messages[0])
    if (told === null) {
      // Without an import the file may do: only what is used of it must be known.
      if (field === ASKING.fileByName) continue
      return { fault: grpcFault(`the server knows no service ${symbol}`) }
    }
    for (const file of told) {
      files.set(file.name, file)
      wanted.push(...file.dependency.map((name) => ({ field: ASKING.fileByName, text: name })))
    }
  }
  return { files }
}

/** The files of an answer; null where it is an error, or none. */
function filesIn(message: Buffer | undefined): FileDescriptorProto[] | null {
  if (message === undefined) return null
  try {
    const files: FileDescriptorProto[] = []
    const reader = new BinaryReader(message)
    while (reader.pos < reader.len) {
      const [field, type] = reader.tag()
      if (field === ANSWERING.error) return null
      if (field !== ANSWERING.files || type !== WireType.LengthDelimited) {
        reader.skip(type, field)
        continue
      }
      const inner = new BinaryReader(reader.bytes())
      while (inner.pos < inner.len) {
        const [one, kind] = inner.tag()
        if (one === 1 && kind === WireType.LengthDelimited)
          files.push(fromBinary(FileDescriptorProtoSchema, inner.bytes()))
        else inner.skip(kind, one)
      }
    }
    return files
  } catch {
    return null
  }
}

/** The file with the service and those that it imports; null where they do not fit together. */
function registryOf(files: Files, service: string): FileRegistry | null {
  const inFile = ({ package: prefix, service: services }: FileDescriptorProto) =>
    services.some(({ name }) => (prefix === '' ? name : `${prefix}.${name}`) === service)
  const file = files.values().find(inFile)
  if (!file) return null
  try {
    return createFileRegistry(file, (name) => files.get(name))
  } catch {
    return null
  }
}
