<?php
/** What the classes declare, wherever they come from. */
$names = preg_grep("/^Redis/", get_declared_classes());
sort($names);
foreach ($names as $name) {
    $class = new ReflectionClass($name);
    echo $name, " extends ", get_parent_class($name) ?: "nothing", "\n";
    $lines = [];
    foreach ($class->getMethods() as $method) {
        if ($method->class !== $name) continue;
        $parameters = array_map(fn ($p) => $p->getType() . " $" . $p->name . ($p->isOptional() ? " = " . json_encode($p->getDefaultValue()) : ""), $method->getParameters());
        $lines[] = implode(" ", Reflection::getModifierNames($method->getModifiers())) . " $method->name(" . implode(", ", $parameters) . "): " . $method->getReturnType();
    }
    foreach ($class->getProperties() as $property) {
        if ($property->class === $name) $lines[] = $property->getType() . " $" . $property->name;
    }
    sort($lines);
    echo "  ", implode("\n  ", $lines), "\n";
}
