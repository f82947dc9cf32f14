// The writer as a module of its own, for tests; in the program main.ts is the entry of every worker.
import { runWriter } from "./writer.ts";

runWriter();
