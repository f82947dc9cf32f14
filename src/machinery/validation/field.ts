// A field under validation: where it is, and the list that its errors go to.
import * as make from "../field_error.ts";
import { type FieldError, Path } from "../field_error.ts";

/**
 * A place in an object together with the list of errors of that object. Checks take the value and its field and say
 * what is wrong with it:
 *
 * ```ts
 * export function validatePort(port: ContainerPort, at: Field): void {
 *   if (!port.containerPort) at.child("containerPort").required();
 * }
 * const errors = collect((root) => validatePort(port, root.child("spec", "ports").index(0)));
 * ```
 *
 * The path's text is only put together when there is an error: valid objects, nearly all of them, pay for one small
 * allocation per field.
 */
export class Field {
  private constructor(
    readonly errors: FieldError[],
    private readonly parent: Field | undefined,
    private readonly segment: string,
    private readonly kind: "member" | "subscript",
  ) {}

  /** The top of an object; `prefix` is a path that was built before. */
  static root(errors: FieldError[], prefix = ""): Field {
    return new Field(errors, undefined, prefix, "member");
  }

  child(name: string, more?: string): Field {
    const field = new Field(this.errors, this, name, "member");
    return more === undefined ? field : new Field(this.errors, field, more, "member");
  }

  index(i: number): Field {
    return new Field(this.errors, this, String(i), "subscript");
  }

  key(k: string): Field {
    return new Field(this.errors, this, k, "subscript");
  }

  /** A field of the whole object, whatever this one is. */
  top(path: string): Field {
    return Field.root(this.errors, path);
  }

  /** `spec.containers[0].name` */
  get text(): string {
    const before = this.parent?.text ?? "";
    if (this.kind === "subscript") return `${before}[${this.segment}]`;
    return before === "" ? this.segment : `${before}.${this.segment}`;
  }

  get path(): Path {
    return new Path(this.text);
  }

  /** How many errors there are so far: a check that depends on others compares before and after. */
  get count(): number {
    return this.errors.length;
  }

  /** Errors that were found elsewhere. */
  add(errors: readonly FieldError[]): void {
    for (const error of errors) this.errors.push(error);
  }

  required(detail = ""): void {
    this.errors.push(make.required(this.path, detail));
  }

  invalid(value: unknown, detail: string): void {
    this.errors.push(make.invalid(this.path, value, detail));
  }

  /** A value that the message does not show. */
  invalidUnseen(detail: string): void {
    this.errors.push({ ...make.invalid(this.path, undefined, detail), withoutValue: true });
  }

  /** One error for each of the messages that a rule of `names.ts` or `numbers.ts` gave. */
  invalidEach(value: unknown, details: readonly string[]): void {
    for (const detail of details) this.invalid(value, detail);
  }

  typeInvalid(value: unknown, detail: string): void {
    this.errors.push(make.typeInvalid(this.path, value, detail));
  }

  notSupported(value: unknown, supported: readonly string[]): void {
    this.errors.push(make.notSupported(this.path, value, supported));
  }

  notSupportedInOrder(value: unknown, supported: readonly string[]): void {
    this.errors.push(make.notSupportedInOrder(this.path, value, supported));
  }

  duplicate(value: unknown, detail = ""): void {
    this.errors.push({ ...make.duplicate(this.path, value), detail });
  }

  forbidden(detail: string): void {
    this.errors.push(make.forbidden(this.path, detail));
  }

  notFound(value: unknown, detail = ""): void {
    this.errors.push({ ...make.notFound(this.path, value), detail });
  }

  tooLong(max: number): void {
    this.errors.push(make.tooLong(this.path, max));
  }

  tooMany(actual: number, max: number): void {
    this.errors.push(make.tooMany(this.path, actual, max));
  }

  tooFew(actual: number, min: number): void {
    this.errors.push(make.tooFew(this.path, actual, min));
  }

  internal(detail: string): void {
    this.errors.push(make.internal(this.path, detail));
  }
}

/** Runs checks and gives back what they found, in the order in which they found it. */
export function collect(check: (root: Field) => void): FieldError[] {
  const errors: FieldError[] = [];
  check(Field.root(errors));
  return errors;
}
