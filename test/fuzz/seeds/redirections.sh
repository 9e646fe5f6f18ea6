a >b 2>&1 <c >>d &>e 3<>f 4>&- >|g <<<"h $i"
j <<E | k
l $m $(n) `o`
E
p <<-'F' >q; r
	s $t
	F
u <<A <<B
v
A
w
B
exec 5>&1; { x; } 2>/dev/null
