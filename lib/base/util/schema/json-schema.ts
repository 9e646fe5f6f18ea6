// The part of JSON Schema (draft 2020-12) that the tools' inputs need, as types.

interface Described {
  /** What the model is told about it. */
  readonly description?: string
}

export interface StringSchema extends Described {
  readonly type: 'string'
  readonly enum?: readonly string[]
  /** In characters (code points), as JSON Schema counts. */
  readonly minLength?: number
}

export interface NumberSchema extends Described {
  /** `1.0` is an integer, as in JSON Schema. */
  readonly type: 'integer' | 'number'
  readonly enum?: readonly number[]
  /** Inclusive. */
  readonly minimum?: number
  /** Inclusive. */
  readonly maximum?: number
}

export interface BooleanSchema extends Described {
  readonly type: 'boolean'
}

/** Of strings. */
export interface ArraySchema extends Described {
  readonly type: 'array'
  readonly items: { readonly type: 'string' }
}

export type PropertySchema = StringSchema | NumberSchema | BooleanSchema | ArraySchema

/** A tool's input: an object with known properties and no others. */
export interface JsonSchema extends Described {
  readonly $schema?: string
  readonly type: 'object'
  readonly properties: Readonly<Record<string, PropertySchema>>
  readonly required?: readonly string[]
  readonly additionalProperties: false
}

type PropertyValue<Property extends PropertySchema> = Property extends {
  readonly enum: readonly (infer Value)[]
}
  ? Value
  : Property['type'] extends 'string'
    ? string
    : Property['type'] extends 'boolean'
      ? boolean
      : Property['type'] extends 'array'
        ? string[]
        : number

type RequiredName<Schema extends JsonSchema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? Name
  : never

type Flat<Type> = { [Key in keyof Type]: Type[Key] }

/** The type of the values that a schema written `as const` accepts. */
export type InputOf<Schema extends JsonSchema> = Flat<
  {
    [Name in keyof Schema['properties'] as Name extends RequiredName<Schema> ? Name : never]: PropertyValue<
      Schema['properties'][Name]
    >
  } & {
    [Name in keyof Schema['properties'] as Name extends RequiredName<Schema> ? never : Name]?: PropertyValue<
      Schema['properties'][Name]
    >
  }
>
